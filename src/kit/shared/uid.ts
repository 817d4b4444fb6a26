/**
 * A Swiss UID (enterprise number) in its official form, e.g. `CHE-123.456.788 MWST`; dots, dash and spaces may be left out. Null
 * for a text that is none, also where the last digit does not fit the others (modulus 11, eCH-0097).
 */
export function readUid(text: string): string | null {
  const [, digits = '', suffix] = /^CHE(\d{9})(MWST|TVA|IVA)?$/.exec(text.toUpperCase().replace(/[\s.-]/g, '')) ?? []
  if (!digits) return null
  const sum = [5, 4, 3, 2, 7, 6, 5, 4].reduce((total, weight, at) => total + weight * Number(digits[at]), 0)
  // 10 fits no digit: such numbers are not given out
  if ((11 - (sum % 11)) % 11 !== Number(digits[8])) return null
  const uid = `CHE-${digits.replace(/(\d{3})(?=\d)/g, '$1.')}`
  return suffix ? `${uid} ${suffix}` : uid
}
