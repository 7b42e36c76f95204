import { useMemo } from 'react';
import type { DogFields } from '#shared/dogs/contract.ts';
import type { NameFields } from '#shared/profile/contract.ts';
import { readCard, type Card } from '#shared/profile/document.ts';
import { picturesOf } from '../dogs/picture-outbox.ts';
import type { DocumentStatus } from '../sync/documents/document-state.ts';
import { useDocument, useDocuments } from '../sync/documents/use-document.ts';
import { cachedCard } from './card-cache.ts';

export interface OwnCard {
  status: DocumentStatus;
  /** What this device last showed while the document is still opening; null where there is nothing. */
  card: Card | null;
  saveProfile: (fields: NameFields) => void;
  /** @returns the new dog's id */
  addDog: (fields: DogFields) => string;
  /** Only the fields that differ become a change, so that another device's edit of the others stands. */
  editDog: (id: string, fields: Partial<DogFields>) => void;
  removeDog: (id: string) => void;
  /** Shows the picture at once, and sends it when there is a network. */
  setDogImage: (id: string, picture: Blob) => Promise<void>;
}

/**
 * The owner's own card. Writes are on this device at once, network or not, or as soon as the document is open; they
 * throw a ZodError when the input does not fit, and an Error when the card is not here.
 */
export function useCard(): OwnCard {
  const documents = useDocuments();
  const { status, doc } = useDocument('card');
  const userId = documents?.userId;
  const card = useMemo(() => {
    if (status === 'ready') return readCard(doc);
    return status === 'loading' && userId !== undefined ? cachedCard(userId) : null;
  }, [status, doc, userId]);
  return useMemo(() => {
    const here = () => {
      if (!documents) throw new Error('Nobody is signed in');
      return documents;
    };
    return {
      status,
      card,
      saveProfile: (fields) => here().change('card', 'profile.save', fields),
      addDog: (fields) => {
        const id = crypto.randomUUID();
        here().change('card', 'dog.add', { ...fields, id, created_at: new Date().toISOString() });
        return id;
      },
      editDog: (id, fields) => here().change('card', 'dog.edit', { ...fields, id }),
      removeDog: (id) => here().change('card', 'dog.remove', { id }),
      setDogImage: (id, picture) => picturesOf(here()).add(id, picture),
    };
  }, [documents, status, card]);
}
