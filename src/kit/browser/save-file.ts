/** Downloads a file. */
export function saveFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // by then the download has its own reference
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
