/** The product's name, which fills {product} in the texts. Set at build time by PRODUCT_NAME. */
export const PRODUCT = __PRODUCT_NAME__;
