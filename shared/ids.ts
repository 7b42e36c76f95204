/** Returns a new id: a random UUID. Unlike a token, it is no secret. */
export const newId = (): string => crypto.randomUUID();
