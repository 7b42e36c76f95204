/// <reference types="vite/client" />

declare const __PRODUCT_NAME__: string;
declare const __SIGN_IN_NAME__: string;
