/** Part of an address for a name: "Lampion & Lärm" gives "lampion-laerm". At most `max` characters; '' without letters and digits. */
export function slugOf(name: string, max = 60): string {
  return name
    .toLowerCase()
    .replace(/ä/g, 'ae')
    .replace(/ö/g, 'oe')
    .replace(/ü/g, 'ue')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, max)
    .replace(/^-|-$/g, '')
}
