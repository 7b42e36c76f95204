import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { BellOff, Plus } from 'lucide-react';
import { useState } from 'react';
import { toast } from 'sonner';
import {
  deactivateAlert,
  exportAlerts,
  listAdminAlerts,
  type AdminAlert,
} from '#shared/alerts/admin-contract.ts';
import { DataTable } from '../admin/data-table.tsx';
import { Pill } from '../admin/pill.tsx';
import { sayFailure } from '../admin/say-failure.ts';
import { useListAddress } from '../admin/use-list-address.ts';
import { useOpened } from '../admin/use-opened.ts';
import { momentWords } from '../admin/words.ts';
import { call } from '../api.ts';
import { pathOf } from '../call.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Modal } from '../ui/modal.tsx';
import { Question } from '../ui/question.tsx';
import { useNow } from '../use-now.ts';
import { AlertForm } from './alert-form.tsx';
import { SEVERITY } from './severity.tsx';
import { typeWord } from './type-words.ts';

const CHOICES = {
  sort: ['newest', 'oldest'],
  status: ['active', 'over'],
  severity: ['extreme', 'severe', 'moderate', 'minor'],
  source: ['admin', 'nws'],
} as const;

const CONTROLS = [
  {
    name: 'status',
    label: 'Status',
    options: [
      { value: '', name: 'All' },
      { value: 'active', name: 'Active' },
      { value: 'over', name: 'Over' },
    ],
  },
  {
    name: 'severity',
    label: 'Severity',
    options: [
      { value: '', name: 'All' },
      ...CHOICES.severity.map((value) => ({ value, name: SEVERITY[value].word })),
    ],
  },
  {
    name: 'source',
    label: 'Issued by',
    options: [
      { value: '', name: 'Anybody' },
      { value: 'admin', name: 'Admins' },
      { value: 'nws', name: 'Weather service' },
    ],
  },
  {
    name: 'sort',
    label: 'Order',
    options: [
      { value: '', name: 'Newest first' },
      { value: 'oldest', name: 'Oldest first' },
    ],
  },
] as const;

/** Emergency alerts: those of admins, and those that the weather service issued. */
export default function WeatherAlertsTab() {
  const address = useListAddress(CHOICES);
  const { query } = address;
  const { opened, open, close } = useOpened();
  const [ending, setEnding] = useState<AdminAlert | null>(null);
  const queries = useQueryClient();
  const now = useNow();
  const asked = useQuery({
    queryKey: ['admin', 'emergency-alerts', query],
    queryFn: () => call(listAdminAlerts, { query }),
    placeholderData: keepPreviousData,
  });
  const refresh = () => queries.invalidateQueries({ queryKey: ['admin', 'emergency-alerts'] });
  const { cursor: _, ...filters } = query;

  async function deactivate({ id, title }: AdminAlert) {
    try {
      await call(deactivateAlert, { params: { id } });
      toast(`“${title}” is deactivated`);
    } catch (error) {
      sayFailure(error);
    } finally {
      await refresh();
    }
  }

  return (
    <Card
      title="Emergency Alerts"
      action={
        <Button
          className="sm:whitespace-nowrap"
          onClick={() => open('new')}
          icon={<Plus aria-hidden className="size-5 shrink-0" />}
        >
          Create Alert
        </Button>
      }
    >
      <DataTable
        label="Emergency alerts"
        asked={asked}
        rows={asked.data?.alerts}
        address={address}
        idOf={(row) => row.id}
        nameOf={(row) => row.title}
        empty="No emergency alerts found"
        noMatch="No emergency alerts match your filters"
        failure={listAdminAlerts.failure}
        search="Search alerts"
        controls={CONTROLS}
        exportHref={pathOf(exportAlerts, {}, filters)}
        columns={[
          {
            name: 'Alert',
            cell: (row) => (
              <>
                <span className="block">{row.title}</span>
                <span className="line-clamp-2 text-sm font-normal text-soft">
                  {row.description}
                </span>
              </>
            ),
          },
          { name: 'Status', cell: (row) => <AlertStatus alert={row} now={now} /> },
          { name: 'Severity', cell: (row) => <SeverityWord alert={row} /> },
          { name: 'Type', cell: (row) => typeWord(row.alert_type) },
          {
            name: 'Where',
            cell: (row) => (
              <span className="tabular-nums">
                {row.affected_latitude.toFixed(4)}, {row.affected_longitude.toFixed(4)}
                <span className="block text-sm text-soft">{row.radius_miles} miles around</span>
              </span>
            ),
          },
          {
            name: 'When',
            cell: (row) => (
              <>
                <span className="block">{momentWords(row.starts_at)}</span>
                <span className="block text-sm text-soft">
                  {row.expires_at ? `until ${momentWords(row.expires_at)}` : 'until further notice'}
                </span>
              </>
            ),
          },
        ]}
        actions={(row) =>
          row.is_active && (
            <Button
              look="secondary"
              className="min-h-11! px-4!"
              onClick={() => setEnding(row)}
              icon={<BellOff aria-hidden className="size-5 shrink-0" />}
            >
              Deactivate<span className="sr-only"> {row.title}</span>
            </Button>
          )
        }
      />
      <Modal open={opened === 'new'} onClose={close} title="Create emergency alert">
        <AlertForm
          onDone={() => {
            close();
            void refresh();
          }}
          onCancel={close}
        />
      </Modal>
      <Question
        open={ending !== null}
        title="Deactivate this alert?"
        description={`“${ending?.title}” is over at once for everybody, and cannot be activated again.`}
        yes="Deactivate"
        onYes={() => ending && void deactivate(ending)}
        onClose={() => setEnding(null)}
      />
    </Card>
  );
}

function AlertStatus({ alert, now }: { alert: AdminAlert; now: number }) {
  if (!alert.is_active) return <Pill>Over</Pill>;
  return Date.parse(alert.starts_at) > now ? <Pill>Scheduled</Pill> : <Pill isOn>Active</Pill>;
}

function SeverityWord({ alert }: { alert: AdminAlert }) {
  const { word, Icon } = SEVERITY[alert.severity];
  return (
    <span className="inline-flex items-center gap-1.5 font-semibold">
      <Icon aria-hidden className="size-5 shrink-0" />
      {word}
    </span>
  );
}
