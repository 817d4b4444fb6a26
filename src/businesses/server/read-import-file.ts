import { readForeignFile } from '../../kit/server/foreign-file.ts'
import { readInThread } from '../../kit/server/read-in-thread.ts'
import type { ImportFile } from './import-file.ts'

/** Larger files are refused before they are read; the list of a whole country has a tenth of this. */
const importFileMaxMb = 64

/** Reads GeoJSON or CSV in a worker thread. @throws `UnreadableFile` */
export async function readImportFile(path: string): Promise<ImportFile> {
  const bytes = await readForeignFile(path, importFileMaxMb)
  return readInThread(new URL('./import-file.ts', import.meta.url), { bytes, options: {} })
}
