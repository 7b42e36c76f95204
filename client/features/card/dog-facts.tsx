import type { Dog } from '#shared/dogs/contract.ts';
import { dogDescription, dogNotesText } from '#shared/dogs/words.ts';

/** The kind of dog, and notes on it; nothing if the owner entered nothing. */
export function DogFacts({ dog }: { dog: Dog }) {
  const notes = dogNotesText(dog);
  const description = dogDescription(dog);
  return (
    <>
      {description && <span className="mt-1 block text-soft break-words">{description}</span>}
      {notes && <span className="block font-bold break-words">{notes}</span>}
    </>
  );
}
