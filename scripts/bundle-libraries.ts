import { join } from 'node:path'
import { build } from 'vite'
import {
  bundledFolder,
  bundledPackages,
  fileOfLibrary,
  type BundledLibrary,
} from '../src/kit/server/bundled-library.ts'

/** Libraries of the server that are large as packages and small as one file (PERFORMANCE P9). */
export async function bundleLibraries(): Promise<void> {
  for (const [name, entry] of Object.entries(bundledPackages) as [BundledLibrary, string][])
    await build({
      configFile: false,
      logLevel: 'error',
      publicDir: false,
      ssr: { noExternal: true },
      build: {
        ssr: true,
        outDir: join(import.meta.dirname, '..', bundledFolder),
        emptyOutDir: false,
        target: 'node26',
        // minified names would be those of its errors in a log
        minify: false,
        rolldownOptions: {
          input: { [name]: entry },
          output: { entryFileNames: fileOfLibrary(name), codeSplitting: false },
        },
      },
    })
}
