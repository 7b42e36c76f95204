/** The state of the address of the sign-in page for somebody who opened the admin panel. */
export const FOR_ADMINS = 'admins';
