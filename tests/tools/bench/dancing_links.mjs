// Counts the covers of a problem in rows (see row_text in texts.py) with the npm package dancing-links:
//     node tests/tools/bench/dancing_links.mjs FOLDER FILE
// FOLDER contains node_modules.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const [folder, file] = process.argv.slice(2)
const entry = resolve(folder, 'node_modules/dancing-links/built/lib/index.js')
const { DancingLinks } = await import(pathToFileURL(entry).href)
const [head, ...lines] = readFileSync(file, 'utf8').trimEnd().split('\n')
const [primary, secondary] = head.split(' ').map(Number)
const dlx = new DancingLinks()
const solver = dlx.createSolver(
  secondary ? { primaryColumns: primary, secondaryColumns: secondary } : { columns: primary }
)
lines.forEach((line, number) => {
  const items = line.split(' ').filter(Boolean).map(Number)
  const inner = items.filter((item) => item < primary)
  const outer = items.filter((item) => item >= primary).map((item) => item - primary)
  solver.addSparseConstraint(number, secondary ? { primary: inner, secondary: outer } : inner)
})
let count = 0
for (const _ of solver.createGenerator()) count += 1
console.log(count)
