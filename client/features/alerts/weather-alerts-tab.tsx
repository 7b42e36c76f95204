import { useQueryClient } from '@tanstack/react-query';
import { BellOff, Info } from 'lucide-react';
import { useState } from 'react';
import { toast } from 'sonner';
import {
  deactivateAlert,
  exportAlerts,
  listAdminAlerts,
  type AdminAlert,
} from '#shared/alerts/admin-contract.ts';
import { CreateButton } from '../../platform/admin/list/create-button.tsx';
import { DataTable } from '../../platform/admin/list/data-table.tsx';
import { control, order } from '../../platform/admin/list/list-filters.ts';
import { RowAction } from '../../platform/admin/list/row-action.tsx';
import { useAdminList } from '../../platform/admin/list/use-admin-list.ts';
import { Pill } from '../../platform/admin/pill.tsx';
import { toastError } from '../../platform/admin/toast-error.ts';
import { call } from '../../platform/http/api.ts';
import { ConfirmDialog } from '../../platform/ui/dialogs/confirm-dialog.tsx';
import { Modal } from '../../platform/ui/dialogs/modal.tsx';
import { useDialogParam } from '../../platform/ui/dialogs/use-dialog-param.ts';
import { Card } from '../../platform/ui/layout/card.tsx';
import { Time } from '../../platform/ui/layout/time.tsx';
import { useNow } from '../../platform/use-now.ts';
import { AlertDetails, pointWords, radiusWords } from './alert-details.tsx';
import { AlertForm } from './alert-form.tsx';
import { typeWord } from './alert-type-labels.ts';
import { SEVERITY_LOOKS, SEVERITY_WORDS } from './severity.tsx';

const LIST = {
  key: 'emergency-alerts',
  from: listAdminAlerts,
  exported: exportAlerts,
  search: 'Search alerts',
  controls: [
    control('status', 'Status', 'All', { active: 'Active', over: 'Over' }),
    control('severity', 'Severity', 'All', SEVERITY_WORDS),
    control('source', 'Issued by', 'Anyone', { admin: 'Admins', nws: 'Weather service' }),
    order({ oldest: 'Oldest first' }),
  ],
} as const;

/** Emergency alerts: those of admins, and those that the weather service issued. */
export default function WeatherAlertsTab() {
  const list = useAdminList(LIST);
  const { opened, id, open, close } = useDialogParam();
  const viewed = list.asked.data?.alerts.find((alert) => alert.id === id);
  const [ending, setEnding] = useState<AdminAlert | null>(null);
  const queries = useQueryClient();
  // At least the time of the list, or an alert that was just created would count as scheduled.
  const now = Math.max(useNow(), list.asked.dataUpdatedAt);
  const refresh = () => queries.invalidateQueries({ queryKey: ['admin', 'emergency-alerts'] });

  async function deactivate({ id, title }: AdminAlert) {
    try {
      await call(deactivateAlert, { params: { id } });
      toast(`“${title}” was deactivated`);
    } catch (error) {
      toastError(error);
    } finally {
      await refresh();
    }
  }

  return (
    <Card
      title="Emergency Alerts"
      action={<CreateButton onClick={() => open('new')}>Create Alert</CreateButton>}
    >
      <DataTable
        label="Emergency alerts"
        list={list}
        rowsOf={({ alerts }) => alerts}
        nameOf={(row) => row.title}
        empty="No emergency alerts found"
        noMatch="No emergency alerts match your filters"
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
          { name: 'Status', isState: true, cell: (row) => <AlertStatus alert={row} now={now} /> },
          { name: 'Severity', cell: (row) => <SeverityWord alert={row} /> },
          { name: 'Type', cell: (row) => typeWord(row.alert_type) },
          {
            name: 'Where',
            cell: (row) => (
              <span className="tabular-nums">
                <span className="block">{row.near ?? 'No town near'}</span>
                {row.near === null && <span className="block text-sm">{pointWords(row)}</span>}
                <span className="block text-sm text-soft">{radiusWords(row)} around</span>
              </span>
            ),
          },
          {
            name: 'When',
            orders: { down: '', up: 'oldest' },
            cell: (row) => (
              <>
                <span className="block">
                  <Time at={row.starts_at} />
                </span>
                <span className="block text-sm text-soft">
                  {row.expires_at ? (
                    <span>
                      until <Time at={row.expires_at} />
                    </span>
                  ) : (
                    <span>until further notice</span>
                  )}
                </span>
              </>
            ),
          },
        ]}
        actions={(row) => (
          <>
            <RowAction
              word="Details"
              about={`of ${row.title}`}
              Icon={Info}
              onClick={() => open('view', row.id)}
            />
            {row.is_active && (
              <RowAction
                word="Deactivate"
                about={row.title}
                Icon={BellOff}
                isNamed
                onClick={() => setEnding(row)}
              />
            )}
          </>
        )}
      />
      <Modal
        open={opened === 'view' && viewed !== undefined}
        onClose={close}
        title={viewed?.title ?? ''}
      >
        {viewed && <AlertDetails alert={viewed} />}
      </Modal>
      <Modal open={opened === 'new'} onClose={close} title="Create emergency alert" isWide>
        <AlertForm
          onDone={() => {
            void close();
            void refresh();
          }}
          onCancel={close}
        />
      </Modal>
      <ConfirmDialog
        open={ending !== null}
        title="Deactivate this alert?"
        description={`“${ending?.title}” ends immediately for everyone and can’t be reactivated.`}
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
  const { Icon, iconLook } = SEVERITY_LOOKS[alert.severity];
  return (
    <span className="inline-flex items-center font-bold">
      <Icon aria-hidden className={`mr-1.5 size-5 shrink-0 ${iconLook}`} />
      {SEVERITY_WORDS[alert.severity]}
    </span>
  );
}
