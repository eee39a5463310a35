-- SPDX-License-Identifier: Apache-2.0
-- Two sets of which the second has at least as much of each resource, with chunks of the same size.
SELECT less.name AS less, more.name AS more
FROM sets less JOIN sets more ON less.name <> more.name AND less.chunk = more.chunk AND less.fsms <= more.fsms AND less.contexts <= more.contexts AND
     less.rows <= more.rows AND less.link_rows <= more.link_rows
