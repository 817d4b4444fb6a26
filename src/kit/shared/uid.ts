/**
 * Reads a Swiss UID (enterprise number) and returns its official form, e.g. `CHE-123.456.788 MWST`. Dots, dash and spaces may be
 * missing. @returns null: the text is no UID, or its check digit is wrong (modulus 11, eCH-0097)
 */
export function readUid(text: string): string | null {
  const [, digits = '', suffix] = /^CHE(\d{9})(MWST|TVA|IVA)?$/.exec(text.toUpperCase().replace(/[\s.-]/g, '')) ?? []
  if (!digits) return null
  const sum = [5, 4, 3, 2, 7, 6, 5, 4].reduce((total, weight, at) => total + weight * Number(digits[at]), 0)
  // numbers whose check digit would be 10 are not issued
  if ((11 - (sum % 11)) % 11 !== Number(digits[8])) return null
  const uid = `CHE-${digits.replace(/(\d{3})(?=\d)/g, '$1.')}`
  return suffix ? `${uid} ${suffix}` : uid
}
