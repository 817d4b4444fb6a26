/** Made by `scripts/late-files.ts`. */
declare module 'files-of:*' {
  const files: string[]
  export default files
}
