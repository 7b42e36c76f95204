import { useMemo } from 'react';
import { newId } from '#shared/ids.ts';
import {
  readQuietPlaces,
  readSettings,
  USUAL_SETTINGS,
  type Settings,
} from '#shared/settings/document.ts';
import type { QuietPlace } from '#shared/settings/rules.ts';
import { useDocument, useDocuments } from '../../platform/sync/documents/use-document.ts';
import type { DocumentStatus } from '../../platform/sync/state/document-state.ts';

interface OwnSettings {
  status: DocumentStatus;
  /** The defaults until loaded. */
  settings: Settings;
  /** Null until loaded. */
  quietPlaces: QuietPlace[] | null;
  /** Writes only the given fields, so that simultaneous changes of others on another device are preserved. */
  save: (changed: Partial<Settings>) => void;
  addQuietPlace: (place: Omit<QuietPlace, 'id'>) => void;
  editQuietPlace: (id: string, edit: Partial<Pick<QuietPlace, 'name' | 'radius_feet'>>) => void;
  removeQuietPlace: (id: string) => void;
}

/** Returns the owner's settings, synced to all devices. Writes take effect on this device at once, even offline. */
export function useSettings(): OwnSettings {
  const documents = useDocuments();
  const { status, doc } = useDocument('account');
  return useMemo(() => {
    const here = () => {
      if (!documents) throw new Error('No one is signed in');
      return documents;
    };
    const isReady = status === 'ready';
    return {
      status,
      settings: isReady ? readSettings(doc) : USUAL_SETTINGS,
      quietPlaces: isReady ? readQuietPlaces(doc) : null,
      save: (changed) => here().change('account', 'settings.save', changed),
      addQuietPlace: (place) => {
        const id = newId();
        here().change('account', 'quiet-place.add', { ...place, id });
      },
      editQuietPlace: (id, edit) => here().change('account', 'quiet-place.edit', { ...edit, id }),
      removeQuietPlace: (id) => here().change('account', 'quiet-place.remove', { id }),
    };
  }, [documents, status, doc]);
}
