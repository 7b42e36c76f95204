import { useCallback, useEffect, useState } from 'react';
import {
  emptyDraft,
  keepDraft,
  keepImage,
  nextDraft,
  readDraft,
  readImage,
  type Draft,
} from './draft.ts';

/**
 * What was typed in the wizard, on this device: also after a reload, or days later.
 * @param isNew it is come to anew, so what is paid and known to be is over
 */
export function useDraft(isNew: boolean): {
  draft: Draft;
  change: (changes: Partial<Draft>) => void;
  /** Undefined until it is read. */
  image: Blob | null | undefined;
  chooseImage: (image: File | null) => void;
  forget: () => void;
  /** Begins with another ad of the same company. */
  next: () => void;
} {
  const [draft, setDraft] = useState(() => {
    const kept = readDraft();
    return isNew && kept.isTold ? nextDraft(kept) : kept;
  });
  const [image, setImage] = useState<Blob | null>();
  useEffect(() => {
    let isGone = false;
    const read = async () => {
      const kept = await readImage();
      // Unless another one was chosen meanwhile.
      if (!isGone) setImage((chosen) => (chosen === undefined ? kept : chosen));
    };
    void read();
    return () => {
      isGone = true;
    };
  }, []);

  const change = useCallback(
    (changes: Partial<Draft>) =>
      setDraft((before) => {
        const after = { ...before, ...changes };
        keepDraft(after);
        return after;
      }),
    [],
  );
  const chooseImage = useCallback(
    (chosen: File | null) => {
      setImage(chosen);
      void keepImage(chosen);
      change({ image_name: chosen?.name ?? null });
    },
    [change],
  );
  const forget = useCallback(() => {
    setDraft(emptyDraft);
    setImage(null);
    keepDraft(null);
    void keepImage(null);
  }, []);
  const next = useCallback(() => change(nextDraft(draft)), [change, draft]);
  return { draft, change, image, chooseImage, forget, next };
}
