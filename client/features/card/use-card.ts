import { replaceEqualDeep } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Dog, DogFields } from '#shared/dogs/contract.ts';
import { newId } from '#shared/ids.ts';
import type { AboutFields, NameFields } from '#shared/profile/contract.ts';
import { readCard, type Card } from '#shared/profile/document.ts';
import { cachedCard } from '../../platform/sync/documents/card-cache.ts';
import {
  useDocument,
  useDocuments,
  useDocumentsValue,
} from '../../platform/sync/documents/use-document.ts';
import type { UserDocuments } from '../../platform/sync/documents/user-documents.ts';
import type { DocumentStatus } from '../../platform/sync/state/document-state.ts';
import { OWNER_PHOTO, picturesOf } from './picture-outbox.ts';

export interface OwnCard {
  status: DocumentStatus;
  /** The cached card until the document is open; null if there is none. */
  card: Card | null;
  saveProfile: (fields: NameFields) => void;
  saveAbout: (fields: AboutFields) => void;
  /** Shows the owner's photo at once, and uploads it when online. */
  setPhoto: (photo: Blob) => Promise<void>;
  removePhoto: () => Promise<void>;
  /** @returns the new dog's ID */
  addDog: (fields: DogFields) => string;
  /** Writes only changed fields, so that simultaneous edits of others on another device are preserved. */
  editDog: (id: string, fields: Partial<DogFields>) => void;
  removeDog: (id: string) => void;
  /** Takes a removal back: the dog has its id and its picture again. */
  restoreDog: (dog: Dog) => void;
  /** Shows the picture at once, and uploads it when online. */
  setDogImage: (id: string, picture: Blob) => Promise<void>;
}

/** The card of each user's documents, with the document or status that it was read from. */
const read = new WeakMap<UserDocuments, { from: unknown; card: Card | null }>();

/** Reads the card once for all components. What hasn't changed stays the same object, also from the cached card to the document. */
function readOwnCard(documents: UserDocuments | null): Card | null {
  if (!documents) return null;
  const { status, doc } = documents.getDocument('card');
  const from = status === 'ready' ? doc : status;
  const before = read.get(documents);
  if (before && before.from === from) return before.card;
  const card =
    status === 'ready' ? readCard(doc) : status === 'loading' ? cachedCard(documents.userId) : null;
  const shared = replaceEqualDeep(before?.card, card);
  read.set(documents, { from, card: shared });
  return shared;
}

/** Returns the owner's card: the cached one until the document is open; null if there is none. */
export const useOwnCard = (): Card | null => useDocumentsValue(readOwnCard);

/** Whether the owner's document has no display name yet. */
export const useIsNameMissing = (): boolean => useDocumentsValue(isNameMissing);

const isNameMissing = (documents: UserDocuments | null): boolean =>
  documents?.getDocument('card').status === 'ready' && !readOwnCard(documents)?.display_name;

/**
 * Returns the owner's card. Writes take effect on this device at once, even offline, or as soon as the document is open; they
 * throw a ZodError for invalid input, and an Error if the card isn't loaded.
 */
export function useCard(): OwnCard {
  const documents = useDocuments();
  const { status } = useDocument('card');
  const card = useOwnCard();
  return useMemo(() => {
    const here = () => {
      if (!documents) throw new Error('No one is signed in');
      return documents;
    };
    return {
      status,
      card,
      saveProfile: (fields) => here().change('card', 'profile.save', fields),
      saveAbout: (fields) => here().change('card', 'profile.about', fields),
      setPhoto: (photo) => picturesOf(here()).add(OWNER_PHOTO, photo),
      removePhoto: async () => {
        await picturesOf(here()).drop(OWNER_PHOTO);
        here().change('card', 'profile.image', { image_key: null });
      },
      addDog: (fields) => {
        const id = newId();
        here().change('card', 'dog.add', { ...fields, id, created_at: new Date().toISOString() });
        return id;
      },
      editDog: (id, fields) => here().change('card', 'dog.edit', { ...fields, id }),
      removeDog: (id) => here().change('card', 'dog.remove', { id }),
      restoreDog: ({ image_key, ...dog }) => {
        here().change('card', 'dog.add', dog);
        if (image_key) here().change('card', 'dog.image', { id: dog.id, image_key });
      },
      setDogImage: (id, picture) => picturesOf(here()).add(id, picture),
    };
  }, [documents, status, card]);
}
