import { useEffect } from 'react';
import { useDocuments } from '../../platform/sync/documents/use-document.ts';
import { outboxOf } from '../../platform/sync/outbox/outbox.ts';

/** Applies the user's accepted changes to the places stored for offline use, on every screen. */
export function useOpenedPlaces(): void {
  const documents = useDocuments();
  useEffect(() => {
    if (!documents) return;
    return outboxOf(documents).onOutcome(({ call, answer, refusal }) => {
      if (refusal || !call.name.startsWith('locations.')) return;
      // Loaded on demand with the code of places.
      import('./opened-places.ts').then(
        ({ applyToOpened }) => applyToOpened(documents.userId, call, answer),
        (error: unknown) => console.warn('Failed to update the stored places', error),
      );
    });
  }, [documents]);
}
