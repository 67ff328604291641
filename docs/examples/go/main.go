// An internal service that starts an audit for an org, waits for the end of the scan and prints the gate's verdict.
//
//	CORE_ADDRESS=127.0.0.1:7300 SERVICE_KEY=sa_… ORG_ID=… go run . https://shop.localhost:8443/
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	scanaudit "scanaudit/docs/examples/go/gen/scanaudit/v1"
)

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: go run . <url>")
	}
	if err := run(os.Args[1]); err != nil {
		log.Fatal(explain(err))
	}
}

func run(url string) error {
	connection, err := grpc.NewClient(os.Getenv("CORE_ADDRESS"), grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		return err
	}
	defer connection.Close()
	scans := scanaudit.NewScanServiceClient(connection)
	ctx := metadata.AppendToOutgoingContext(context.Background(),
		"authorization", "Bearer "+os.Getenv("SERVICE_KEY"),
		"x-scan-audit-org", os.Getenv("ORG_ID"))

	startCtx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	started, err := scans.StartScan(startCtx, &scanaudit.StartScanRequest{Url: url})
	if err != nil {
		return err
	}
	fmt.Println("started", started.GetRunId(), "of", started.GetHost())

	for {
		gateCtx, cancel := context.WithTimeout(ctx, 65*time.Second)
		gate, err := scans.GetGate(gateCtx, &scanaudit.GetGateRequest{RunId: started.GetRunId(), Wait: 55})
		cancel()
		if err != nil {
			return err
		}
		if gate.GetVerdict() != scanaudit.Verdict_VERDICT_PENDING {
			fmt.Println(gate.GetVerdict(), "-", gate.GetReason())
			return nil
		}
	}
}

// explain turns the typed details of a refusal into one line.
func explain(err error) error {
	for _, detail := range status.Convert(err).Details() {
		switch detail := detail.(type) {
		case *errdetails.ErrorInfo:
			err = errors.Join(err, fmt.Errorf("reason %s %v", detail.GetReason(), detail.GetMetadata()))
		case *scanaudit.OwnershipRequired:
			err = errors.Join(err, fmt.Errorf("prove %s by one of %v", detail.GetDomain(), detail.GetMethods()))
		case *scanaudit.CheckoutHint:
			err = errors.Join(err, errors.New(detail.GetMessage()))
		}
	}
	return err
}
