const starts: [kind: string, starts: RegExp][] = [
  ['an Excel or ZIP file', /^PK\u0003\u0004/],
  ['an old Excel or Word file', /^\u00d0\u00cf\u0011\u00e0/],
  ['a PDF', /^%PDF-/],
  ['a picture', /^(\u0089PNG|\u00ff\u00d8\u00ff|GIF8|RIFF....WEBP)/s],
  ['a packed file', /^\u001f\u008b/],
  // as is saved where an error stood at the address
  ['a web page', /^(\u00ef\u00bb\u00bf)?\s*<(!doctype\s+html|html)\b/i],
]

/** What a file is that people hand in where a table is asked for, with its article; null: none of those. By its first bytes. */
export function foreignKind(bytes: Uint8Array): string | null {
  const head = Buffer.from(bytes.subarray(0, 200)).toString('latin1')
  return starts.find(([, start]) => start.test(head))?.[0] ?? null
}
