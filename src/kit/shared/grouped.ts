/**
 * The Swiss way, "12’345.6", in every language of the house, with at most three decimals. It is done here because server
 * and browsers disagree about the separator (’, ' or a thin space, by language and by the age of their data).
 */
export function grouped(number: number): string {
  return groupedDigits(String(Math.round(number * 1000) / 1000))
}

/** Groups the digits before the point, if there is one. */
export const groupedDigits = (digits: string) => digits.replace(/\B(?<!\.\d*)(?=(\d{3})+(?!\d))/g, '’')
