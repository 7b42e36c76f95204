/** The product's name, which fills {product} in the texts. Set at build time by PRODUCT_NAME. */
export const PRODUCT = __PRODUCT_NAME__;

/** The name of the sign-in provider. Set at build time by SIGN_IN_NAME; Google by default. */
export const SIGN_IN = __SIGN_IN_NAME__;
