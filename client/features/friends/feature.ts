import type { ClientFeature } from '../../platform/features.ts';
import { LookalikeProvider } from './lookalike-note.tsx';
import { nameRefusedPerson } from './name-refused-person.ts';

export const friends: ClientFeature = {
  refusedCalls: {
    'friends.request': nameRefusedPerson,
    'friends.respond': nameRefusedPerson,
    'friends.withdraw': nameRefusedPerson,
    'friends.remove': nameRefusedPerson,
  },
  Provider: LookalikeProvider,
};
