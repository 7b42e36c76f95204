import { useMemo } from 'react';
import { newId } from '#shared/ids.ts';
import type { Dog, DogFields } from '#shared/dogs/contract.ts';
import type { AboutFields, NameFields } from '#shared/profile/contract.ts';
import { readCard, type Card } from '#shared/profile/document.ts';
import { OWNER_PHOTO, picturesOf } from '../dogs/picture-outbox.ts';
import type { DocumentStatus } from '../sync/documents/document-state.ts';
import { useDocument, useDocuments } from '../sync/documents/use-document.ts';
import { cachedCard } from './card-cache.ts';

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

/**
 * Returns the owner's card. Writes take effect on this device at once, even offline, or as soon as the document is open; they
 * throw a ZodError for invalid input, and an Error if the card isn't loaded.
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
