import { useCallback, useEffect, useState } from 'react';
import {
  emptyDraft,
  storeDraft,
  storeImage,
  nextDraft,
  readDraft,
  readImage,
  type Draft,
} from './draft.ts';

/**
 * Keeps the wizard's draft on this device, across reloads and for days.
 * @param isNew whether the wizard was opened again, which ends a confirmed draft
 */
export function useDraft(isNew: boolean): {
  draft: Draft;
  change: (changes: Partial<Draft>) => void;
  /** Undefined until loaded. */
  image: Blob | null | undefined;
  chooseImage: (image: File | null) => void;
  forget: () => void;
  /** Starts another ad of the same company. */
  next: () => void;
} {
  const [draft, setDraft] = useState(() => {
    const stored = readDraft();
    return isNew && stored.isConfirmed ? nextDraft(stored) : stored;
  });
  const [image, setImage] = useState<Blob | null>();
  useEffect(() => {
    let isUnmounted = false;
    const read = async () => {
      const stored = await readImage();
      // Keeps an image that was chosen in the meantime.
      if (!isUnmounted) setImage((chosen) => (chosen === undefined ? stored : chosen));
    };
    void read();
    return () => {
      isUnmounted = true;
    };
  }, []);

  const change = useCallback(
    (changes: Partial<Draft>) =>
      setDraft((before) => {
        const after = { ...before, ...changes };
        storeDraft(after);
        return after;
      }),
    [],
  );
  const chooseImage = useCallback(
    (chosen: File | null) => {
      setImage(chosen);
      void storeImage(chosen);
      change({ image_name: chosen?.name ?? null });
    },
    [change],
  );
  const forget = useCallback(() => {
    setDraft(emptyDraft);
    setImage(null);
    storeDraft(null);
    void storeImage(null);
  }, []);
  const next = useCallback(() => change(nextDraft(draft)), [change, draft]);
  return { draft, change, image, chooseImage, forget, next };
}
