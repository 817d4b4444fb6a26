/** For names that begin with no letter. */
export const other = '#'

export const alphabet = [other, ...'abcdefghijklmnopqrstuvwxyz']

/** The list, in its own order, cut at its letters, accents folded; what begins with no letter stands under "#". */
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
