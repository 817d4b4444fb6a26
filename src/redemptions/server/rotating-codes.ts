import { createCipheriv } from 'node:crypto'

/** How long a code is shown, in seconds. */
export const stepSeconds = 30
/** Codes have six digits. */
const codes = 1_000_000
/** A code is two digits of a number to the base of 1,000. */
const half = 1000
/** As many as NIST SP 800-38G (FF1) has. */
const rounds = 10

/** The 30-second step of an instant, counted from 1970. */
export const stepAt = (instant: Temporal.Instant): number =>
  Math.floor(instant.epochMilliseconds / (stepSeconds * 1000))

/** When a step ends. */
export const endOfStep = (step: number): Temporal.Instant =>
  Temporal.Instant.fromEpochMilliseconds((step + 1) * stepSeconds * 1000)

/**
 * The codes of one slot of a business for `count` steps from `firstStep` on: six digits each, one text. For each step the
 * million codes are the million slots in another order, so that no two slots have the same code, and who sees some codes
 * learns nothing of any other. The order is a Feistel network over two numbers below 1,000, built as FF1 of NIST SP
 * 800-38G is: ten rounds, the step as the tweak, AES as the round function.
 * @param key 32 bytes, of one business
 * @param slot 0 to 999,999
 */
export function codesOf(key: Buffer, slot: number, firstStep: number, count: number): string {
  const left = new Uint16Array(count).fill(Math.floor(slot / half))
  const right = new Uint16Array(count).fill(slot % half)
  for (let round = 0; round < rounds; round++) {
    const mixed = mix(key, round, firstStep, right)
    for (let index = 0; index < count; index++) {
      const next = (left[index]! + mixed[index]!) % half
      left[index] = right[index]!
      right[index] = next
    }
  }
  let text = ''
  for (let index = 0; index < count; index++) text += digits(left[index]! * half + right[index]!)
  return text
}

/** The slot that has this code in this step: the same network, walked backwards. */
export function slotOf(key: Buffer, code: string, step: number): number {
  let left = Math.floor(Number(code) / half)
  let right = Number(code) % half
  for (let round = rounds - 1; round >= 0; round--) {
    const before = left
    left = (right - mix(key, round, step, Uint16Array.of(before))[0]! + half) % half
    right = before
  }
  return left * half + right
}

/** Whether the text can be a code at all. */
export const isCode = (text: string): boolean => /^\d{6}$/.test(text)

const digits = (code: number) => String(code).padStart(String(codes - 1).length, '0')

/** A number below 1,000 for each value; `values[n]` belongs to the step `firstStep + n`. All of a round in one call of AES. */
function mix(key: Buffer, round: number, firstStep: number, values: Uint16Array): Uint16Array {
  const blocks = new DataView(new ArrayBuffer(values.length * 16))
  for (let index = 0; index < values.length; index++) {
    blocks.setUint8(index * 16, round)
    blocks.setFloat64(index * 16 + 1, firstStep + index)
    blocks.setUint16(index * 16 + 9, values[index]!)
  }
  const cipher = createCipheriv('aes-256-ecb', key, null).setAutoPadding(false)
  const { buffer, byteOffset } = cipher.update(Buffer.from(blocks.buffer))
  const mixed = new DataView(buffer, byteOffset)
  // of 32 bits, so that 1,000 is no measurable bias
  return values.map((_, index) => mixed.getUint32(index * 16) % half)
}
