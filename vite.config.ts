import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const api = `http://127.0.0.1:${process.env.API_PORT ?? 3001}`;
const sync = `http://127.0.0.1:${process.env.SYNC_PORT ?? 3002}`;

export default defineConfig({
  root: 'client',
  define: {
    __PRODUCT_NAME__: JSON.stringify(process.env.PRODUCT_NAME || 'Leashwise'),
  },
  plugins: [react(), tailwindcss()],
  build: {
    outDir: '../dist/client',
    emptyOutDir: true,
    target: 'es2022',
  },
  server: {
    host: process.env.HOST ?? '127.0.0.1',
    port: Number(process.env.PORT ?? 3000),
    strictPort: true,
    proxy: {
      '/api': { target: api, xfwd: true },
      '/sync': { target: sync, ws: true, xfwd: true },
    },
  },
});
