import type { LocationFields, TipFields } from '#shared/locations/contract.ts';
import type { LocationReportType } from '#shared/locations/contract.ts';
import type { OwnVisit } from '#shared/locations/visit-contract.ts';
import type { Place } from '#shared/place.ts';
import { useDocuments } from '../../../platform/sync/documents/use-document.ts';
import type { CallInput, CallName } from '../../../platform/sync/outbox/outbox-calls.ts';
import { sendLater } from '../../../platform/sync/outbox/outbox.ts';
import { sendSoon } from '../../../platform/sync/outbox/send-soon.ts';

/** Returns the owner's actions on places; each is queued in the outbox and sent when online. */
export function usePlaceActions() {
  const documents = useDocuments();

  function here() {
    if (!documents) throw new Error('No one is signed in');
    return documents;
  }

  async function send<N extends CallName>(
    name: N,
    input: CallInput<N>,
    label: string,
  ): Promise<void> {
    await sendLater(here(), name, input, label);
  }

  return {
    addPlace: (fields: LocationFields, confirm_new = false) =>
      send('locations.create', { body: { ...fields, confirm_new } }, fields.name),
    editPlace: (id: string, fields: LocationFields) =>
      send('locations.update', { params: { id }, body: fields }, fields.name),
    removePlace: ({ id, name }: { id: string; name: string }) =>
      send('locations.remove', { params: { id } }, name),
    /** @param at this device's position, which is near the place */
    visit: async ({ id, name }: { id: string; name: string }, { latitude, longitude }: Place) =>
      sendSoon(here(), 'locations.visit', { body: { location_id: id, latitude, longitude } }, name),
    undoVisit: ({ id, name }: { id: string; name: string }) =>
      send('locations.undoVisit', { params: { id } }, name),
    rate: ({ id, name }: { id: string; name: string }, rating: number) =>
      send('locations.rate', { params: { id }, body: { rating } }, name),
    withdrawRating: ({ id, name }: { id: string; name: string }) =>
      send('locations.withdrawRating', { params: { id } }, name),
    editVisit: ({ id, location_name }: OwnVisit, notes: string | null) =>
      send('locations.editVisit', { params: { id }, body: { notes } }, location_name ?? ''),
    removeVisit: ({ id, location_name }: OwnVisit) =>
      send('locations.removeVisit', { params: { id } }, location_name ?? ''),
    addTip: (location_id: string, fields: TipFields) =>
      send('locations.addTip', { body: { location_id, ...fields } }, fields.title),
    editTip: (id: string, fields: TipFields) =>
      send('locations.editTip', { params: { id }, body: fields }, fields.title),
    removeTip: ({ id, title }: { id: string; title: string }) =>
      send('locations.removeTip', { params: { id } }, title),
    removePhoto: ({ name }: { name: string }, { id }: { id: string }) =>
      send('locations.removePhoto', { params: { id } }, name),
    vote: ({ id, title }: { id: string; title: string }, is_helpful: boolean) =>
      send('locations.voteForTip', { params: { id }, body: { is_helpful } }, title),
    report: async (
      subject: { location_id: string; tip_id?: string | undefined },
      report_type: LocationReportType,
      description: string,
    ) =>
      sendSoon(here(), 'locations.report', { body: { ...subject, report_type, description } }, ''),
  };
}
