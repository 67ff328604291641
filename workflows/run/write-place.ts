import { getOption } from '@bufbuild/protobuf';
import { field } from '../../proto/gen/scanaudit/v1/options_pb.ts';
import { WriteSchema } from '../../proto/gen/scanaudit/v1/runs_pb.ts';

const { maxLength } = getOption(WriteSchema.field.place, field);

/** The place of a write as the ledger takes it: of an address that is too long, without its query. */
export function placeInLedger(place: string): string {
  // What is stored may show over a WebSocket alone: its address stands there as that of a page.
  const address = place.replace(/^ws/i, 'http');
  return address.length <= maxLength ? address : address.replace(/[?#].*$/s, '').slice(0, maxLength);
}
