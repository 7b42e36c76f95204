import { createComposePush } from '../platform/push/compose.ts';
import { FEATURES } from './features.ts';

/** Composes what a device shows of a push, and what the list of activities says: the features have the texts. */
export const composePush = createComposePush(FEATURES.map(({ pushes }) => pushes));
