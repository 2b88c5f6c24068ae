package dualseal

// #include <dualseal_vault.h>
//
// extern int dualsealConsume(char *nonce, void *user);
import "C"

// RequestRefresh asks for shards to split the secret anew, among as many nodes of these labels and for the same m.
func (r *Rebuilding) RequestRefresh(split ID, shards []ID, nodes []string) (Request, error) {
	return r.request(C.DUALSEAL_OPERATION_REFRESH, split, shards, 0, 0, nodes)
}

// RequestRethreshold asks for shards to split it anew with other numbers.
func (r *Rebuilding) RequestRethreshold(split ID, shards []ID, m uint8, nodes []string) (Request, error) {
	return r.request(C.DUALSEAL_OPERATION_RETHRESHOLD, split, shards, 0, m, nodes)
}

// RequestRepair asks for shards to make the lost one of this number again.
func (r *Rebuilding) RequestRepair(split ID, shards []ID, lost uint8) (Request, error) {
	return r.request(C.DUALSEAL_OPERATION_REPAIR, split, shards, lost, 0, nil)
}

// Resplit prepares the same secret for these nodes, as the request says, and gives the numbers of the shards that were
// bad. Until it is committed ([Splitting.Commit]) the old shards rebuild, and after it the new ones do. It protects
// only while fewer than m shards of every earlier splitting survive. The rest as for [Rebuilding.Rebuild].
func (r *Rebuilding) Resplit(
	request Request, shards []Secret, m uint8, nodes []string, by Presence,
) (*Splitting, []int, error) {
	labels, free, err := names("nodes", nodes)
	if err != nil {
		return nil, nil, err
	}
	defer free()
	var faults, dealt *C.char
	var made *C.dualseal_preparation
	err = r.behind(request, shards, by, func(b behind, e **C.dualseal_error) C.dualseal_status {
		return C.dualseal_rebuilding_prepare(b.rebuilding, b.request, b.requestLen, b.shards, b.shardsLen, C.uint32_t(m),
			labels, C.uint32_t(len(nodes)), b.gate, C.dualseal_consume(C.dualsealConsume), b.user, millis(by.Now), &dealt,
			&made, &faults, e)
	})
	if err != nil {
		return nil, nil, err
	}
	prepared, err := ownSplitting(made, dealt)
	if err != nil {
		return nil, nil, err
	}
	wrong, err := bad(faults)
	return prepared, wrong, err
}

// Repair makes a lost shard again from m others, for the node of this label, as the request says. The rest as for
// [Rebuilding.Rebuild].
func (r *Rebuilding) Repair(
	request Request, shards []Secret, lost ShardName, node string, by Presence,
) (Secret, []int, error) {
	label, err := named("node", node)
	if err != nil {
		return nil, nil, err
	}
	var faults, shard *C.char
	err = r.behind(request, shards, by, func(b behind, e **C.dualseal_error) C.dualseal_status {
		return C.dualseal_rebuilding_repair(b.rebuilding, b.request, b.requestLen, b.shards, b.shardsLen,
			C.uint32_t(lost.Index), label, lost.Shard.c(), b.gate, C.dualseal_consume(C.dualsealConsume), b.user,
			millis(by.Now), &shard, &faults, e)
	})
	if err != nil {
		return nil, nil, err
	}
	made := takenSecret(shard)
	wrong, err := bad(faults)
	return made, wrong, err
}
