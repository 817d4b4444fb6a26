import { createCipheriv } from 'node:crypto'

/** Seconds that a code is shown. */
export const stepSeconds = 30
/** The number of codes: six digits. */
const codes = 1_000_000
/** A code is a pair of numbers below this. */
const half = 1000
/** The number of rounds in NIST SP 800-38G (FF1). */
const rounds = 10

/** The 30-second step of an instant, counted from 1970. */
export const stepAt = (instant: Temporal.Instant): number =>
  Math.floor(instant.epochMilliseconds / (stepSeconds * 1000))

/** When a step ends. */
export const endOfStep = (step: number): Temporal.Instant =>
  Temporal.Instant.fromEpochMilliseconds((step + 1) * stepSeconds * 1000)

/**
 * The codes of one slot for `count` steps from `firstStep`, six digits each, in one text. In each step, codes are a permutation of
 * the million slots: no two slots share a code, and known codes tell nothing about others. The permutation is a Feistel
 * network over two numbers below 1,000, like FF1 of NIST SP 800-38G: ten rounds, the step as tweak, AES as round function.
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

/** The slot with this code in this step: the same network, backwards. */
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

export const isCode = (text: string): boolean => /^\d{6}$/.test(text)

const digits = (code: number) => String(code).padStart(String(codes - 1).length, '0')

/** The round function: a number below 1,000 for each value; `values[n]` belongs to step `firstStep + n`. One call of AES a round. */
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
  // 32 bits modulo 1,000: the bias is too small to measure
  return values.map((_, index) => mixed.getUint32(index * 16) % half)
}
