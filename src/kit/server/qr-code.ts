const quietZone = 4

/** The modules of a QR code as one SVG path, a rectangle for each run of dark ones, in a square of `size` units. */
export async function drawQr(text: string): Promise<{ size: number; path: string }> {
  const { create } = await import('qrcode')
  const { modules } = create(text, { errorCorrectionLevel: 'M' })
  let path = ''
  for (let row = 0; row < modules.size; row++) {
    for (let column = 0; column < modules.size; column++) {
      let run = 0
      while (column + run < modules.size && modules.get(row, column + run)) run++
      if (run > 0) path += `M${column + quietZone} ${row + quietZone}h${run}v1h-${run}z`
      column += run
    }
  }
  return { size: modules.size + 2 * quietZone, path }
}
