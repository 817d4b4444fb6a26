import { crc32 } from 'node:zlib'

/**
 * Removes everything but the orientation from the EXIF of a picture. The decoder's library reads all of it: 60 kB of nested directories
 * take ten seconds, in a thread that cannot be stopped. Bytes of other formats are returned unchanged.
 */
export function withPlainExif(picture: Uint8Array): Uint8Array {
  const bytes = Buffer.from(picture)
  if (bytes.toString('latin1', 0, 4) === 'RIFF') chunksOf(bytes, 12, 'webp')
  else if (bytes.toString('latin1', 1, 4) === 'PNG') chunksOf(bytes, 8, 'png')
  else if (bytes[0] === 0xff && bytes[1] === 0xd8) segmentsOf(bytes)
  return bytes
}

/** A PNG chunk is length, name, data, checksum; a WebP chunk is name, length, data, and a padding byte after an odd length. */
function chunksOf(bytes: Buffer, start: number, format: 'png' | 'webp') {
  const isPng = format === 'png'
  const exif = Buffer.from(isPng ? 'eXIf' : 'EXIF').readUInt32BE()
  for (let at = start; at + 8 <= bytes.length;) {
    const length = isPng ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at + 4)
    const end = at + 8 + length
    if (bytes.readUInt32BE(isPng ? at + 4 : at) === exif) {
      makePlain(bytes.subarray(at + 8, end))
      if (isPng && end + 4 <= bytes.length) bytes.writeUInt32BE(crc32(bytes.subarray(at + 4, end)), end)
    }
    at = end + (isPng ? 4 : length % 2)
  }
}

/** The segments of a JPEG before its pixels. Stray bytes between them are skipped, as decoders do. There may be two million segments. */
function segmentsOf(bytes: Buffer) {
  for (let at = 2; at < bytes.length;) {
    while (at < bytes.length && bytes[at] !== 0xff) at++
    while (bytes[at] === 0xff) at++
    const marker = bytes[at++] ?? 0
    const isPixelsOrEnd = marker === 0xda || marker === 0xd9
    if (isPixelsOrEnd || at + 2 > bytes.length) return
    const isAlone = marker === 0 || marker === 1 || (marker >= 0xd0 && marker <= 0xd8)
    if (isAlone) continue
    const length = (bytes[at]! << 8) | bytes[at + 1]!
    if (marker === 0xe1 && bytes.toString('latin1', at + 2, at + 6) === 'Exif')
      makePlain(bytes.subarray(at + 2, at + length))
    at += Math.max(2, length)
  }
}

/** Length of a TIFF with one directory with one entry, the orientation. */
const plainLength = 26

/** Overwrites the EXIF in place. EXIF is a TIFF file, with or without "Exif" before it. */
function makePlain(exif: Buffer) {
  const tiff = exif.subarray(exif.toString('latin1', 0, 4) === 'Exif' ? 6 : 0)
  const orientation = orientationIn(tiff)
  tiff.fill(0)
  if (tiff.length < plainLength) return
  tiff.write('II*\0', 'latin1')
  tiff.writeUInt32LE(8, 4)
  tiff.writeUInt16LE(1, 8)
  tiff.writeUInt16LE(orientationTag, 10)
  tiff.writeUInt16LE(3, 12)
  tiff.writeUInt32LE(1, 14)
  tiff.writeUInt16LE(orientation, 18)
}

const orientationTag = 0x0112
const upright = 1

/** The orientation in the first directory, 1 to 8. */
function orientationIn(tiff: Buffer): number {
  if (tiff.length < plainLength) return upright
  const isLittle = tiff.toString('latin1', 0, 2) === 'II'
  const short = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  const directory = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4)
  if (directory + 2 > tiff.length) return upright
  const entries = short(directory)
  for (let at = directory + 2, n = 0; n < entries && at + 12 <= tiff.length; at += 12, n++)
    if (short(at) === orientationTag) {
      const orientation = short(at + 8)
      return orientation >= 1 && orientation <= 8 ? orientation : upright
    }
  return upright
}
