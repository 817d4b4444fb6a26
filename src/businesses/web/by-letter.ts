/** The group of names that begin with no letter. */
export const other = '#'

export const alphabet = [other, ...'abcdefghijklmnopqrstuvwxyz']

/** Groups a list by first letter, without accents, in the list's order; names that begin with no letter under "#". */
export function byLetter<Named extends { business_name: string }>(businesses: Named[]): [string, Named[]][] {
  const groups = new Map<string, Named[]>()
  for (const business of businesses) {
    const first = business.business_name.normalize('NFKD').charAt(0).toUpperCase()
    const letter = /^[A-Z]$/.test(first) ? first : other
    groups.set(letter, [...(groups.get(letter) ?? []), business])
  }
  return [...groups]
}

export const idOf = (letter: string) => `letter-${letter === other ? 'other' : letter.toLowerCase()}`
