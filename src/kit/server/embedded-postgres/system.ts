import { stat } from 'node:fs/promises'

export function hasCode(error: unknown, code: string) {
  return (error as NodeJS.ErrnoException).code === code
}

export async function exists(path: string) {
  return stat(path).then(
    () => true,
    () => false,
  )
}
