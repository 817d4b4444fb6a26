import { readFile, stat } from 'node:fs/promises'
import { UnreadableFile } from './unreadable-file.ts'

const starts: [key: string, kind: string, starts: RegExp][] = [
  ['zip', 'an Excel or ZIP file', /^PK\u0003\u0004/],
  ['office', 'an old Excel or Word file', /^\u00d0\u00cf\u0011\u00e0/],
  ['pdf', 'a PDF', /^%PDF-/],
  ['picture', 'a picture', /^(\u0089PNG|\u00ff\u00d8\u00ff|GIF8|RIFF....WEBP)/s],
  ['packed', 'a packed file', /^\u001f\u008b/],
  // saved instead of the table when its address showed an error page
  ['web', 'a web page', /^(\u00ef\u00bb\u00bf)?\s*<(!doctype\s+html|html)\b/i],
]

/** Recognises, by its first bytes, a file of another kind uploaded in place of a table. `kind`: in English with its article. */
export function foreignKind(bytes: Uint8Array): { key: string; kind: string } | null {
  const head = Buffer.from(bytes.subarray(0, 200)).toString('latin1')
  const found = starts.find(([, , start]) => start.test(head))
  return found ? { key: found[0], kind: found[1] } : null
}

/** Reads a file that an operator names. @throws UnreadableFile, also above `maxMb` */
export async function readForeignFile(path: string, maxMb: number): Promise<Uint8Array> {
  try {
    const info = await stat(path)
    if (!info.isFile()) throw new UnreadableFile(`${path} is not a file.`)
    const mb = Math.ceil(info.size / 2 ** 20)
    if (mb > maxMb)
      throw new UnreadableFile(
        `The file has ${mb} MB; the maximum is ${maxMb} MB. Split it, or check that it is the right one.`,
      )
    return await readFile(path)
  } catch (error) {
    if (error instanceof UnreadableFile) throw error
    throw new UnreadableFile(`The file ${path} cannot be read: ${reasonOf(error as NodeJS.ErrnoException)}.`)
  }
}

function reasonOf({ code, message }: NodeJS.ErrnoException): string {
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'there is no such file'
  if (code === 'EACCES' || code === 'EPERM') return 'permission denied'
  return message
}
