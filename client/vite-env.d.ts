/// <reference types="vite/client" />

declare const __PRODUCT_NAME__: string;
