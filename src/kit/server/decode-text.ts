import { UnreadableFile } from './unreadable-file.ts'

export interface DecodedText {
  /** Without a byte order mark. */
  text: string
  encoding: 'UTF-8' | 'UTF-16' | 'Windows-1252'
}

/** Decodes UTF-8; else UTF-16 if it has a byte order mark, else Windows-1252, which Excel still writes. @throws UnreadableFile */
export function decodeText(bytes: Uint8Array): DecodedText {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return { text: new TextDecoder('utf-16le').decode(bytes), encoding: 'UTF-16' }
  if (first === 0xfe && second === 0xff) return { text: new TextDecoder('utf-16be').decode(bytes), encoding: 'UTF-16' }
  const start = bytes.subarray(0, 1000)
  if (start.filter((byte) => byte === 0).length > start.length / 20)
    throw new UnreadableFile('The file is not a text file.', { key: 'fileNoText' })
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), encoding: 'UTF-8' }
  } catch {
    return { text: new TextDecoder('windows-1252').decode(bytes), encoding: 'Windows-1252' }
  }
}
