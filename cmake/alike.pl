#!/usr/bin/perl
# SPDX-License-Identifier: Apache-2.0
#
# Has the instances of a module share their code, in what Verilator wrote to a folder:
#
#     cmake/alike.pl FOLDER
#
# Of a module that is not inlined (cmake/shared.vlt) Verilator writes a class, and what each instance does
# as functions of its own that get the instance.  Where they are alike its own pass would keep one of them, but
# is kept from seeing it: temporaries of Verilog functions are numbered through all instances and declared in any
# order.  Here the first of them is kept, and the others call it.
use strict;
use warnings;

my ($folder) = @ARGV;
my $times = (glob "$folder/*__verFiles.dat")[0];
my (%kept, @changed);

# What a function does, however its temporaries are numbered.
sub meaning {
    my ($name, $body) = @_;
    my $temporary = qr/(__V(?:func|task)_\w*__)(\d+)(__\w+)/;
    my (%number);
    $body =~ s/\s+|\Q$name\E//g;
    my ($declared, $does) = split m{//Body}, $body, 2;
    $declared =~ s/$temporary/$1$3/g;
    $does =~ s/$temporary/$1 . ($number{$2} ||= 1 + keys %number) . $3/ge;
    return join "\n", sort(split /;/, $declared), $does;
}

sub share {
    my ($slow, $head, $name, $class, $body) = @_;
    return "$head$body}\n" if $class =~ /___024root$/ || $body !~ m{// Body};
    my $first = $kept{$slow, $class, meaning($name, $body)} ||= $name;
    return "$head$body}\n" if $first eq $name;
    return "void $first($class* vlSelf);\n$head    $first(vlSelf);\n}\n";
}

for my $file (sort glob "$folder/*__DepSet_*.cpp") {
    my $slow = $file =~ /__Slow/;      # it is compiled without optimization
    local $/;
    open my $in, '<', $file or die "$file: $!\n";
    my $was = <$in>;
    my $is = $was =~ s/^((?:VL_INLINE_OPT |VL_ATTR_COLD )?void (\w+)\((\w+)\* vlSelf\) \{\n)(.*?)^\}\n/share($slow, $1, $2, $3, $4)/gemsr;
    next if $is eq $was;
    open my $out, '>', $file or die "$file: $!\n";
    print $out $is or die "$file: $!\n";
    close $out or die "$file: $!\n";
    push @changed, $file;
}

# Verilator runs again where a file that it wrote has changed since, but for one that it does not know.
if (@changed) {
    my $changed = join '|', map { quotemeta } @changed;
    local ($^I, @ARGV) = ('', $times);
    while (<>) { print unless /^T .*"(?:$changed)"$/ }
}
