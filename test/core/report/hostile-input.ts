import { type DescField, type DescMessage, type MessageShape, ScalarType } from '@bufbuild/protobuf';
import { type ReflectMessage, reflect } from '@bufbuild/protobuf/reflect';
import { TimestampSchema } from '@bufbuild/protobuf/wkt';
import type { ReportInput } from '../../../core/report/input.ts';
import { FindingSchema, FindingState } from '../../../proto/gen/scanaudit/v1/findings_pb.ts';
import {
  PermissionOutcome,
  type Permissions,
  PermissionsSchema,
  WriteSchema,
} from '../../../proto/gen/scanaudit/v1/runs_pb.ts';
import { ScanSchema } from '../../../proto/gen/scanaudit/v1/scans_pb.ts';
import { SiteMapSchema } from '../../../proto/gen/scanaudit/v1/surface_pb.ts';

/** How many messages a list gets: enough for each kind of a oneof. */
const listLength = 4;
/** Off, so that texts may hold what protobuf would refuse: lone surrogates. */
const isChecked = false;

/** A message in which every string, at any depth, is `text`, every list is filled and every number is set. */
function filled<S extends DescMessage>(schema: S, text: string, variant = 0): MessageShape<S> {
  return fill(reflect(schema, undefined, isChecked), text, variant).message as MessageShape<S>;
}

function fill(message: ReflectMessage, text: string, variant: number): ReflectMessage {
  if (message.desc.typeName === TimestampSchema.typeName) {
    for (const field of message.fields) if (field.name === 'seconds') message.set(field, 1_772_618_400n);
    return message;
  }
  for (const field of message.fields) {
    const kinds = field.oneof?.fields ?? [];
    const isSpokenFor = kinds.length > 1 && kinds[variant % kinds.length] !== field;
    if (!isSpokenFor) fillField(message, field, text, variant);
  }
  return message;
}

function fillField(message: ReflectMessage, field: DescField, text: string, variant: number): void {
  if (field.fieldKind === 'list') {
    const list = message.get(field);
    for (let index = 0; index < listLength; index += 1) {
      if (field.listKind === 'message') list.add(fill(reflect(field.message, undefined, isChecked), text, index));
      if (field.listKind === 'scalar') list.add(text);
    }
    return;
  }
  if (field.fieldKind === 'message')
    message.set(field, fill(reflect(field.message, undefined, isChecked), text, variant));
  if (field.fieldKind === 'enum') message.set(field, field.enum.values.at(1 + variant)?.number ?? 1);
  if (field.fieldKind === 'scalar') message.set(field, scalar(field.scalar, text));
}

function scalar(type: ScalarType, text: string): string | number | boolean {
  if (type === ScalarType.STRING) return text;
  if (type === ScalarType.BOOL) return true;
  return type === ScalarType.DOUBLE ? 7.5 : 7;
}

/** A report's input with `text` in every string there is. */
export function hostileInput(text: string): ReportInput {
  const alone = filled(FindingSchema, text);
  alone.chain = [];
  alone.references = [text, `Title: ${text}`, `https://x.example/${text}`];
  const aside = filled(FindingSchema, text);
  aside.state = FindingState.ACCEPTED_RISK;
  // A finding that the permission matrix leads to.
  alone.category = 'access';
  return {
    scan: filled(ScanSchema, text),
    findings: [filled(FindingSchema, text), alone, aside],
    run: { domain: text, ownershipMethod: text, ownershipVerifiedAt: new Date(0), orgName: text },
    permissions: hostilePermissions(text),
    siteMap: filled(SiteMapSchema, text),
    writes: [0, 1, 2].map((variant) => filled(WriteSchema, text, variant)),
    now: new Date(0),
  };
}

/** A matrix with a cell of every kind. */
function hostilePermissions(text: string): Permissions {
  const matrix = filled(PermissionsSchema, text);
  const [stranger] = matrix.visitors;
  if (stranger) Object.assign(stranger, { name: '', administrator: false });
  const [foreign, alike, untried] = matrix.addresses;
  if (foreign) foreign.linkedFor = [];
  if (alike) alike.linkedFor = ['', text];
  for (const permission of alike?.permissions ?? [])
    Object.assign(permission, { outcome: PermissionOutcome.REDIRECTED, private: false, sameAs: '' });
  for (const permission of untried?.permissions ?? []) permission.outcome = PermissionOutcome.NOT_TRIED;
  return matrix;
}
