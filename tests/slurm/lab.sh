#!/usr/bin/env bash
# A private SLURM on this machine for the tests: one controller and a few nodes, without systemd, munge, cgroups or a database.
#
#   tests/slurm/lab.sh start FOLDER [NODES] [CPUS] [MEGABYTES]     as root; needs Debian's slurm-wlm, and no SLURM that is set up already
#   tests/slurm/lab.sh stop FOLDER                                 ends what it started, by process id, and removes its configuration
#
# Commands find it through /etc/slurm/slurm.conf, a link to FOLDER/slurm.conf: inside a job the plugin of Snakemake unsets SLURM_CONF.
set -euo pipefail
task=${1:?start or stop} folder=$(mkdir -p "${2:?a folder}" && cd "$2" && pwd) nodes=${3:-2} cpus=${4:-4} megabytes=${5:-8000}
conf=$folder/slurm.conf link=/etc/slurm/slurm.conf
export SLURM_CONF=$conf

free_ports() { # the first of as many neighbouring free ports as are asked for
    python3 - "$1" << 'PY'
import socket, sys
for base in range(17000, 30000, 50):
    try:
        held = [socket.socket() for _ in range(int(sys.argv[1]))]
        for offset, one in enumerate(held):
            one.bind(("127.0.0.1", base + offset))
    except OSError:
        continue
    sys.exit(print(base))
PY
}

start() {
    if [ -e "$link" ] || [ -L "$link" ]; then
        echo "lab.sh: $link is there already; stop that SLURM first" >&2
        exit 1
    fi
    rm -rf "$folder"/{state,spool,run,log}
    mkdir -p "$folder"/{state,spool,run,log}
    chmod 755 "$folder" "$folder"/*/
    local host port
    host=$(hostname -s) port=$(free_ports $((nodes + 1)))
    # KillWait: seconds between SIGTERM and SIGKILL of a cancelled job. MinJobAge: how long squeue knows a job that has ended
    cat > "$conf" << CONF
ClusterName=lab
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmUser=root
SlurmdUser=root
AuthType=auth/none
CredType=cred/none
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool/%n
SlurmctldPidFile=$folder/run/slurmctld.pid
SlurmdPidFile=$folder/run/slurmd.%n.pid
SlurmctldLogFile=$folder/log/slurmctld.log
SlurmdLogFile=$folder/log/slurmd.%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SwitchType=switch/none
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=task=1
JobAcctGatherParams=OverMemoryKill
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/filetxt
JobCompLoc=$folder/log/jobcomp.txt
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
SlurmdParameters=config_overrides
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=1,sched_interval=1,batch_sched_delay=0,sched_min_interval=0,requeue_delay=1
ReturnToService=2
KillWait=2
MinJobAge=600
DefMemPerCPU=500
SlurmctldTimeout=30
SlurmdTimeout=15
InactiveLimit=0
Waittime=0
NodeName=n[1-$nodes] NodeHostname=$host NodeAddr=127.0.0.1 Port=[$((port + 1))-$((port + nodes))] CPUs=$cpus RealMemory=$megabytes State=UNKNOWN
PartitionName=debug Nodes=n[1-$nodes] Default=YES MaxTime=UNLIMITED State=UP OverSubscribe=NO
CONF
    mkdir -p "${link%/*}"
    ln -s "$conf" "$link"
    slurmctld
    local node
    for node in $(seq "$nodes"); do slurmd -N "n$node"; done
    for _ in $(seq 150); do
        [ "$(sinfo -h -t idle -o %D 2> /dev/null | head -n 1)" = "$nodes" ] && return
        sleep 0.2
    done
    echo "lab.sh: SLURM did not come up" >&2
    tail -n 5 "$folder"/log/*.log >&2
    stop
    exit 1
}

pids() { # of the daemons, and of the steps that nodes keep in their spool folders' sockets
    cat "$folder"/run/*.pid 2> /dev/null || true
}

steps() { # slurmstepd has its node's name and this configuration in no argument; its parent or its working folder is ours
    local found
    for found in /proc/[0-9]*; do
        [ "$(cat "$found/comm" 2> /dev/null)" = slurmstepd ] || continue
        case "$(tr '\0' '\n' < "$found/environ" 2> /dev/null | grep -s '^SLURM_CONF=')$(readlink "$found/cwd" 2> /dev/null)" in
            *"$folder"*) echo "${found#/proc/}" ;;
        esac
    done
}

stop() {
    timeout 10 scancel --user "$(id -un)" 2> /dev/null || true
    for _ in $(seq 25); do
        [ -z "$(timeout 5 squeue -h -o %A 2> /dev/null)" ] && break
        sleep 0.2
    done
    local ended pid
    ended=$(pids; steps)
    for pid in $ended; do kill "$pid" 2> /dev/null || true; done
    for _ in $(seq 25); do
        for pid in $ended; do kill -0 "$pid" 2> /dev/null && break; done || break
        sleep 0.2
    done
    for pid in $ended; do kill -9 "$pid" 2> /dev/null || true; done
    [ "$(readlink "$link" 2> /dev/null)" = "$conf" ] && rm -f "$link"
    return 0
}

case $task in
    start | stop) "$task" ;;
    *) echo "lab.sh: found $task; write start or stop" >&2; exit 1 ;;
esac
