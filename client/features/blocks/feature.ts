import type { ClientFeature } from '../../platform/features.ts';
import { nameRefusedPerson } from '../friends/name-refused-person.ts';

export const blocks: ClientFeature = {
  refusedCalls: { 'blocks.create': nameRefusedPerson, 'blocks.delete': nameRefusedPerson },
};
