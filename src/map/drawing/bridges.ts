import { readStrokes } from './sheet.ts'

/** The road bridges over the Rhine from bank street to bank street, upstream first: `class name: points`. */
export const bridges = readStrokes(`
  1 Schwarzwaldbrücke: 6130/5595 6144/5573
  2 Wettsteinbrücke: 5950/5550 5977/5583
  2 Mittlere Brücke: 5886/5596 5912/5609
  2 Johanniterbrücke: 5839/5643 5888/5658
  1 Dreirosenbrücke: 5828/5707 5898/5707
`).map(({ name, points }) => ({ class: Number(name[0]) as 1 | 2, name: name.slice(2), points }))

/** The one railway bridge, downstream beside the Schwarzwaldbrücke; it is part of the line to the Badischer Bahnhof. */
export const railwayBridge = readStrokes('Eisenbahnbrücke: 6151/5571 6142/5591')[0]!

/** The four ferries on their ropes, upstream first, from the Kleinbasel bank. */
export const ferries = readStrokes(`
  St. Alban-Fähre: 6023/5568 6026/5553
  Münster-Fähre: 5943/5581 5930/5570
  Klingental-Fähre: 5886/5627 5865/5620
  St. Johann-Fähre: 5862/5694 5834/5694
`)
