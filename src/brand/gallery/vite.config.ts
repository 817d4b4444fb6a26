import tailwindcss from '@tailwindcss/vite'
import { defineConfig } from 'vite'

/** `npx vite src/brand/gallery`: every part in every state, for the eye. Never part of the product. */
export default defineConfig({ plugins: [tailwindcss()], build: { outDir: '/tmp/gallery', emptyOutDir: true } })
