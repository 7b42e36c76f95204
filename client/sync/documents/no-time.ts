/**
 * For every change of a document: it does not say when it was made, or readers would learn when somebody walks, or sleeps. The sync
 * server refuses others in what is read by others.
 */
export const NO_TIME = { time: 0 };
