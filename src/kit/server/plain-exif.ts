import { crc32 } from 'node:zlib'

/**
 * The picture with nothing but its orientation in its EXIF. The decoder's library reads all of EXIF, and takes ten seconds for 60 kB of
 * directories that lie in each other, in a thread that nobody can stop. Bytes of another format come back as they are.
 */
export function withPlainExif(picture: Uint8Array): Uint8Array {
  const bytes = Buffer.from(picture)
  if (bytes.toString('latin1', 0, 4) === 'RIFF') chunksOf(bytes, 12, 'webp')
  else if (bytes.toString('latin1', 1, 4) === 'PNG') chunksOf(bytes, 8, 'png')
  else if (bytes[0] === 0xff && bytes[1] === 0xd8) segmentsOf(bytes)
  return bytes
}

/** PNG: length, name, data, checksum. WebP: name, length, data, and a byte more where that is odd. */
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

/** JPEG, up to the pixels. What stands between two segments is passed over, as decoders do; there may be two million of them. */
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

/** One directory with one entry, the orientation. */
const plainLength = 26

/** Writes over it. EXIF is a TIFF file, with or without a name before it. */
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

/** As its first directory says; 1 to 8. */
function orientationIn(tiff: Buffer): number {
  if (tiff.length < plainLength) return upright
  const isLittle = tiff.toString('latin1', 0, 2) === 'II'
  const short = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  const directory = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4)
  if (directory + 2 > tiff.length) return upright
  const entries = short(directory)
  for (let at = directory + 2, n = 0; n < entries && at + 12 <= tiff.length; at += 12, n++)
    if (short(at) === orientationTag) {
      const said = short(at + 8)
      return said >= 1 && said <= 8 ? said : upright
    }
  return upright
}
