/** Hands a file to the browser's downloads. */
export function saveFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // the download holds its own reference by then
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
