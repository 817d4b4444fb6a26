import { reactRouter } from '@react-router/dev/vite'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig } from 'vite'

export default defineConfig(({ command }) => ({
  plugins: [tailwindcss(), reactRouter()],
  build: {
    target: 'es2023',
    // data: URLs and the preload helper's inline code would need a weaker CSP
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    sourcemap: false,
  },
  // libraries used by screens alone are part of the server's bundle, so they need no place in a production install
  ...(command === 'build' ? { ssr: { noExternal: true as const } } : {}),
  server: { watch: { ignored: ['**/data/**', '**/build/**'] } },
}))
