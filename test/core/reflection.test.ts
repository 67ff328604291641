import {
  create,
  createFileRegistry,
  fromBinary,
  getOption,
  hasOption,
  type MessageInitShape,
} from '@bufbuild/protobuf';
import { type FileDescriptorProto, FileDescriptorProtoSchema, FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { Code } from '@connectrpc/connect';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createServices } from '../../core/services.ts';
import {
  ServerReflection,
  type ServerReflectionRequestSchema,
  type ServerReflectionResponse,
} from '../../proto/gen/grpc/reflection/v1/reflection_pb.ts';
import { access } from '../../proto/gen/scanaudit/v1/options_pb.ts';
import { startCore, type TestCore } from './support.ts';

type Question = NonNullable<MessageInitShape<typeof ServerReflectionRequestSchema>['messageRequest']>;

let core: TestCore;
const test = suite('reflection');
test.before(async () => {
  core = await startCore();
});
test.after(() => core.close());

async function ask(...questions: Question[]): Promise<ServerReflectionResponse['messageResponse'][]> {
  async function* requests() {
    for (const messageRequest of questions) yield { messageRequest };
  }
  const answers: ServerReflectionResponse['messageResponse'][] = [];
  for await (const { messageResponse } of core.as()(ServerReflection).serverReflectionInfo(requests()))
    answers.push(messageResponse);
  return answers;
}

/** Names of the files of an answer; an error code when it is one. */
async function filesOf(question: Question): Promise<string[] | number> {
  const [answer] = await ask(question);
  if (answer?.case === 'errorResponse') return answer.value.errorCode;
  if (answer?.case !== 'fileDescriptorResponse') throw new Error(`an answer of kind ${answer?.case}`);
  return answer.value.fileDescriptorProto.map((bytes) => fromBinary(FileDescriptorProtoSchema, bytes).name);
}

/** As compilers order them: no file before what it imports. */
function importsFirst(files: FileDescriptorProto[]): FileDescriptorProto[] {
  const ordered = new Set<FileDescriptorProto>();
  const visit = (name: string): void => {
    const file = files.find((one) => one.name === name);
    if (!file) throw new Error(`${name} is imported but was not sent`);
    file.dependency.forEach(visit);
    ordered.add(file);
  };
  for (const { name } of files) visit(name);
  return [...ordered];
}

const symbol = (value: string): Question => ({ case: 'fileContainingSymbol', value });

test('lists everything that is served', async () => {
  const [answer] = await ask({ case: 'listServices', value: '' });
  const names = answer?.case === 'listServicesResponse' ? answer.value.service.map(({ name }) => name) : [];
  const served = createServices().map(({ desc }) => desc.typeName);
  assert.equal(names.sort(), [...served, 'grpc.health.v1.Health', 'grpc.reflection.v1.ServerReflection'].sort());
});

test('a client learns a service, its messages and its options from the bytes alone', async () => {
  const [answer] = await ask(symbol('scanaudit.v1.ScanService'));
  assert.is(answer?.case, 'fileDescriptorResponse');
  const bytes = answer?.case === 'fileDescriptorResponse' ? answer.value.fileDescriptorProto : [];
  const file = bytes.map((one) => fromBinary(FileDescriptorProtoSchema, one));
  const registry = createFileRegistry(create(FileDescriptorSetSchema, { file: importsFirst(file) }));
  const start = registry.getService('scanaudit.v1.ScanService')?.method.startScan;
  assert.is(start?.input.typeName, 'scanaudit.v1.StartScanRequest');
  assert.ok(start && hasOption(start, access) && getOption(start, access).scope === 'scans:write');
});

test('finds the file of a type, method, field and enum value', async () => {
  const scans = 'scanaudit/v1/scans.proto';
  for (const name of [
    'scanaudit.v1.Scan',
    'scanaudit.v1.ScanService.StartScan',
    'scanaudit.v1.Scan.run_id',
    'scanaudit.v1.Depth.DEPTH_DEEP',
  ]) {
    const files = await filesOf(symbol(name));
    assert.is(Array.isArray(files) && files[0], scans, name);
  }
});

test('finds files by name and extensions by number', async () => {
  const files = await filesOf({ case: 'fileByFilename', value: 'google/protobuf/timestamp.proto' });
  assert.equal(files, ['google/protobuf/timestamp.proto']);
  const containingType = 'google.protobuf.MethodOptions';
  const [byNumber] = [
    await filesOf({ case: 'fileContainingExtension', value: { containingType, extensionNumber: 50102 } }),
  ];
  assert.is(Array.isArray(byNumber) && byNumber[0], 'scanaudit/v1/options.proto');
  const [answer] = await ask({ case: 'allExtensionNumbersOfType', value: containingType });
  const numbers = answer?.case === 'allExtensionNumbersResponse' ? answer.value.extensionNumber : [];
  assert.equal(
    [...numbers].sort((a, b) => a - b),
    [50101, 50102, 72295728],
  );
});

test('what is not there is an answer, not the end of the stream', async () => {
  const unknown = ['scanaudit.v1.Nonsense', 'scanaudit.v1.ScanService.Nonsense', 'Nonsense', ''].map(symbol);
  const answers = await ask(...unknown, { case: 'fileByFilename', value: 'no.proto' }, symbol('scanaudit.v1.Scan'));
  assert.equal(
    answers.map((answer) => (answer.case === 'errorResponse' ? answer.value.errorCode : answer.case)),
    [Code.NotFound, Code.NotFound, Code.NotFound, Code.NotFound, Code.NotFound, 'fileDescriptorResponse'],
  );
});

test.run();
